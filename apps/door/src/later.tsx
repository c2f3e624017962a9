import { ChoiceScreen } from './screens/choice.js';
import { ClosedScreen } from './screens/closed.js';
import { GateScreen } from './screens/gates.js';
import { loadLaterTexts } from './texts/later-texts.js';
import { KioskScreen } from './screens/kiosk.js';

export { accompany } from './app/accompany.js';
export { laterDetail, laterStep } from './app/later-steps.js';
export { GroupChoice } from './screens/group-choice.js';
export { laterFailures } from './parts/later-failures.js';
export { PracticeTickets } from './parts/practice-tickets.js';
export { UpdateNote } from './parts/update-note.js';
export { Sheets } from './sheets/sheets.js';

/** The screens that the app does not start with on most evenings. */
export const screens = { choosing: ChoiceScreen, gate: GateScreen, kiosk: KioskScreen, locked: ClosedScreen, wiped: ClosedScreen };

/** See `LaterParts`. */
export async function prepare(): Promise<void> {
  await Promise.all([loadLaterTexts(), loadStyle()]);
}

function loadStyle(): Promise<unknown> {
  return new Promise((done, fail) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: BUILD_LATER_STYLE, onload: done, onerror: fail });
    document.head.append(link);
  });
}
