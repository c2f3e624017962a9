/** Path under which the panel answers on each host. */
export const PANEL_PATH = '/admin';
