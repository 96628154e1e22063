// Files that are dropped anywhere onto the page.
import { useEffect, useState } from 'preact/hooks';
import { takeFiles } from '../model/files';

export function DropZone() {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const enter = (event: DragEvent): void => {
      if (!event.dataTransfer?.types.includes('Files')) return;
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent): void => {
      event.preventDefault();
      setOver(false);
      void takeFiles([...(event.dataTransfer?.files ?? [])]);
    };
    addEventListener('dragenter', enter);
    addEventListener('dragover', enter);
    addEventListener('dragleave', leave);
    addEventListener('drop', drop);
    return () => {
      removeEventListener('dragenter', enter);
      removeEventListener('dragover', enter);
      removeEventListener('dragleave', leave);
      removeEventListener('drop', drop);
    };
  }, []);
  return over ? <div class="drop-target">Drop a scene (.yaml), a harness (.kbl, .vec) or a mesh (.obj, .stl, .ply, .gltf, .glb, .iv, .step)</div> : null;
}
