/** Path of the panel on each host. */
export const PANEL_PATH = '/admin';

/** Path of the page that asks people again to prove who they are. */
export const proofPath = `${PANEL_PATH}/prove`;
