// TRANSITION: string versions for cart and account.
import { htmlOf, SafeHtml } from '#page-kit';
import { MailedStep, Step } from './step.js';

type More = { readonly fault?: string | undefined; readonly html?: readonly string[] };
type Said = Parameters<typeof MailedStep>[0]['said'];

export const stepHtml = (title: string, lines: readonly string[], { fault, html = [] }: More = {}): string =>
  htmlOf(<Step title={title} lines={lines} fault={fault} children={<SafeHtml html={html.join('\n')} />} />);
export const mailedStepHtml = (isSent: boolean, said: Said, again: string, isSentAgain = false): string =>
  htmlOf(<MailedStep isSent={isSent} said={said} isSentAgain={isSentAgain} children={<SafeHtml html={again} />} />);
