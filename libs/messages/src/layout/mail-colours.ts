import { themeColours, usualAccent } from '#kernel';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';

/** The colours of one mail that follow the accent of its venue. */
export const MailColours = createContext(themeColours(usualAccent, false));

/** The colours of the mail that is drawn: texts have `accent`, grounds `fill` with `onFill` on them. */
export function useMailColours() {
  return useContext(MailColours);
}
