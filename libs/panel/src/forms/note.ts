import { longestNote } from '#tickets';
import { currentPanelRequest, textOf, type PanelValue } from '#panel-kit';

/** The form field for a note to the holder. */
export const noteField = ({ note, noteHelp }: { readonly note: string; readonly noteHelp: string }) =>
  ({ name: 'note', kind: 'textarea', label: note, help: noteHelp, longest: longestNote }) as const;

/** The note of a form, cut to its maximum length; undefined when it is empty. */
export const noteOf = (value: PanelValue | undefined): string | undefined => textOf(value).trim().slice(0, longestNote) || undefined;

/** How somebody at the panel cancels: with the note of the form. */
export function cancelledWith(note: PanelValue | undefined): { note?: string; userId?: string } {
  const { user } = currentPanelRequest();
  const words = noteOf(note);
  return { ...(words && { note: words }), ...(user && { userId: user.id }) };
}
