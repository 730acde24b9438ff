import { render } from 'preact';
import { App } from './app';
import { session } from './host';
import { keepOffline } from './offline';
import { watchKeys } from './shell/shortcuts';
import './styles/tokens.css';
import './styles/base.css';
import './styles/board.css';
import './styles/layout.css';
import './styles/dialogs.css';
import './styles/play.css';
import './styles/analysis.css';
import './styles/print.css';

session.start();
watchKeys();
keepOffline();
const root = document.getElementById('app');
if (root) render(<App />, root);
