export { mountPanel, PanelModule } from './panel.module.js';
