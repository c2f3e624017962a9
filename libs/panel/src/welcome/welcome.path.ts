import { PANEL_PATH } from '#panel-kit';

/** Path of the page with the first steps. */
export const welcomePath = `${PANEL_PATH}/welcome`;
