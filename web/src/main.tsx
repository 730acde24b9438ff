import { render } from 'preact';
import { App } from './app';
import { session } from './host';
import './styles/tokens.css';
import './styles/base.css';
import './styles/board.css';
import './styles/layout.css';
import './styles/dialogs.css';
import './styles/analysis.css';
import './styles/print.css';

session.start();
const root = document.getElementById('app');
if (root) render(<App />, root);
