// TRANSITION: string versions for cart and account.
import { htmlOf } from '#page-kit';
import { FormAgain, SameBefore, SendAgain, type SentMail } from './send-again.js';

export type { SentMail } from './send-again.js';
export const sendAgainHtml = (current: string, mail: SentMail): string => htmlOf(<SendAgain current={current} mail={mail} />);
export const formAgainHtml = (form: string): string => htmlOf(<FormAgain path={form} />);
export const sameBeforeHtml = (before: string | undefined): string => htmlOf(<SameBefore path={before} />);
