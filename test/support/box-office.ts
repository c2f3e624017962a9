import type { PanelAnswer } from './panel-client.js';

const ofPart = (name: string): boolean => ['eventId', 'tickets', 'optionIds', 'passesList'].includes(name) || name.startsWith('answer_');

/** The body of a sale at the box office for one event. @param fields of the buyer, and of the part: event, tickets, options, answers */
export function oneEvent(fields: Readonly<Record<string, unknown>>): object {
  const entries = Object.entries(fields);
  const part = Object.fromEntries(entries.filter(([name]) => ofPart(name)));
  return { ...Object.fromEntries(entries.filter(([name]) => !ofPart(name))), parts: [part] };
}

export interface SoldPart {
  readonly id: string;
  readonly reference: string;
  readonly href: string;
  readonly tickets: readonly { readonly id: string; readonly picture: string; readonly name: string }[];
}

export interface Sold {
  readonly email: string | null;
  readonly total: string;
  readonly method: string;
  readonly payments: readonly string[];
  readonly parts: readonly SoldPart[];
  readonly memberships: readonly { readonly id: string; readonly what: string }[];
}

/** The result of a sale. */
export const soldOf = ({ view }: PanelAnswer): Sold => view?.['sold'] as Sold;

/** The result of a sale for one event. */
export const soldPart = (answer: PanelAnswer): Sold & SoldPart => ({ ...soldOf(answer), ...(soldOf(answer).parts[0] as SoldPart) });

/** The errors of a sale by field; those of the first part have no prefix. */
export const saleErrors = ({ errors }: PanelAnswer): Record<string, string> =>
  Object.fromEntries(Object.entries(errors ?? {}).map(([field, { message }]) => [field.replace(/^parts\.0\./, ''), message]));
