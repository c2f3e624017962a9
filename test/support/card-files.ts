import { randomBytes } from 'node:crypto';
import { pageFaults, recordFaults, type PanelAnswer, type PanelClient } from './panel-client.js';

/** A random tag of an NFC card. */
export const newTag = (bytes = 7): string => randomBytes(bytes).toString('hex').toUpperCase();

/** Sends a file to the import of cards in the Root panel. */
export const importCards = async (root: PanelClient, text: string | Buffer, mode = 'whole'): Promise<PanelAnswer> =>
  (await root.call('post', '/api/resources/cards/actions/import').field('mode', mode).attach('file', Buffer.from(text), 'cards.csv'))
    .body as PanelAnswer;

/** The facts that an import reports. */
export const factsOf = ({ view }: PanelAnswer): string[] => (view!['report'] as { facts: string[] }).facts;

/** The rows of the errors that an import reports. */
export const rowsOf = ({ view }: PanelAnswer): string[][] => (view!['report'] as { table?: { rows: string[][] } }).table?.rows ?? [];

/** The errors of an answer, by field. */
export const faults = (answer: PanelAnswer): Record<string, string> => (answer.errors ? pageFaults(answer) : recordFaults(answer));
