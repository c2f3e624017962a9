import { pageCookie, pageCookieIn, type PageCookie, valuesOf } from '#page-kit';
import { reply, Redirection, type Reply } from '#http';
import { SETTINGS, type Settings } from '#kernel';
import { Inject, Injectable } from '@nestjs/common';
import { contactFields, type TypedContact } from './contact-form.dto.js';

/** Characters of a cookie: with other cookies and headers, a request stays far below what servers take. */
const mostKept = 2000;

/** Fields that are not kept: what the form sends by itself, and the acceptance of the terms. */
const notKept = new Set(['ticket', 'change', 'terms']);

/** The cookie with what was typed into the contact form of an order. */
const contactCookie = (order: string): PageCookie => ({ name: 'guichet-typed', about: order });

/** What a buyer typed into the contact form of an order before the tickets are changed. The browser keeps it, not the server. */
@Injectable()
export class KeptContactService {
  constructor(@Inject(SETTINGS) private readonly settings: Settings) {}

  /** Redirects, and lets the browser remember the form as long as tickets are held. What does not fit is not remembered: answers first. */
  keep(order: string, body: unknown, address: string): Reply<Redirection> {
    const all = Object.keys(body ?? {}).filter((field) => !notKept.has(field));
    const contact = all.filter((field) => (contactFields as readonly string[]).includes(field));
    const who = contact.filter((field) => !field.startsWith('holder_'));
    const value = [all, contact, who].map((fields) => encoded(body, fields)).find((text) => text.length <= mostKept) ?? '';
    const cookie = pageCookie(this.settings, contactCookie(order), value, this.settings.holdMinutes * 60);
    return reply(new Redirection(303, address), { headers: { 'Cache-Control': 'no-store', 'Set-Cookie': cookie } });
  }

  /** The form as it was kept, else as it is shown first. @param header `Cookie` */
  of(order: string, header: string | undefined, first: TypedContact): TypedContact {
    const value = pageCookieIn(this.settings, header, contactCookie(order));
    const kept = new URLSearchParams(Buffer.from(value, 'base64url').toString());
    return (field) => (kept.has(field) ? kept.getAll(field) : first(field));
  }
}

function encoded(body: unknown, fields: readonly string[]): string {
  const pairs = fields.flatMap((field) => valuesOf(body, field).map((value) => [field, value]));
  return Buffer.from(new URLSearchParams(pairs).toString()).toString('base64url');
}
