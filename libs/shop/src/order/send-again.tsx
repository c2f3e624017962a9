import { currentLanguage } from '#kernel';
import type { VNode } from 'preact';
import { EmailField } from './contact-fields.js';
import { orderWords } from '../frame/order.words.js';

/** What the page of an order that awaits a confirmation says about its mail. */
export interface SentMail {
  /** Of the order. */
  readonly path: string;
  /** The mail was just sent again. */
  readonly isSentAgain?: boolean;
  /** What was typed, and why it was refused. */
  readonly email?: string;
  readonly fault?: string;
  readonly status?: number;
}

/** The form with which a buyer has the mail sent again, also to another address. `current`: the address of the order. */
export function SendAgain({ current, mail }: { readonly current: string; readonly mail: SentMail }): VNode {
  const { path, email = current, fault } = mail;
  const words = orderWords[currentLanguage()];
  return (
    <details class="names" open={fault !== undefined}>
      <summary>{words.sendAgainTitle}</summary>
      <form class="order" method="post" action={`${path}/email`} novalidate>
        <EmailField label={words.email} value={email} fault={fault} />
        <p>
          <button class="button">{words.sendAgain}</button>
        </p>
      </form>
    </details>
  );
}

/** The link to the form, for who typed a wrong address. `path`: of the form. */
export function FormAgain({ path }: { readonly path: string }): VNode {
  return (
    <p>
      <a href={path}>{orderWords[currentLanguage()].formAgain}</a>
    </p>
  );
}

/** Leads to the order that has the same tickets. `path`: of that order; undefined: there is none. */
export function SameBefore({ path }: { readonly path: string | undefined }): VNode | null {
  if (path === undefined) return null;
  const words = orderWords[currentLanguage()];
  return (
    <section class="step" role="status">
      <p>
        {words.sameBefore} <a href={path}>{words.showBefore}</a>
      </p>
    </section>
  );
}
