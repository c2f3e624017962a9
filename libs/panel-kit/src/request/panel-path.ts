/** Path of the panel on each host. */
export const PANEL_PATH = '/admin';
