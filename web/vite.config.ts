// The page is built into dist/, which `filum serve` hands out under its root. Everything it needs is in there.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  base: './',
  esbuild: { jsx: 'automatic', jsxImportSource: 'preact' },
  build: {
    target: 'es2022',
    chunkSizeWarningLimit: 1200,
    rollupOptions: {
      output: {
        manualChunks: { three: ['three'], plots: ['uplot'] },
      },
    },
  },
  // nothing is judged by time, least of all on a busy machine
  test: { include: ['test/**/*.test.ts'], testTimeout: 60_000 },
});
