// Start of the page.
import '@fontsource-variable/inter';
import { render } from 'preact';
import './model/document_units';
import { startKeeping } from './model/keeping';
import { connect } from './model/session';
import { exposeHandle } from './handle';
import './style/theme.css';
import './style/controls.css';
import './style/layout.css';
import './style/panels.css';
import './style/overlays.css';
import { App } from './ui/app';

render(<App />, document.getElementById('app')!);
exposeHandle();
startKeeping();
connect();
