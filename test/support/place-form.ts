import type supertest from 'supertest';
import { expect } from '@jest/globals';
import type { SmtpSink, TakenMail } from './smtp-sink.js';
import type { TestApp } from './test-app.js';

/** Valid fields of the form at `/tenant/new/`. */
export function formFields(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const number = Math.random().toString(36).slice(2, 10);
  return {
    name: `Hall ${number}`,
    category: 'S',
    short_description: 'A music hall by the river.',
    email: `ana-${number}@example.org`,
    show_email: 'yes',
    phone: '+33 2 61 91 44 20',
    website: 'hall.example',
    street: '14 quai des Ferblantiers',
    postal_code: '44200',
    city: 'Nantes',
    country: 'FR',
    image_url: '',
    logo_url: '',
    slug: '',
    language: 'fr',
    time_zone: 'Europe/Paris',
    terms: 'yes',
    action: 'send',
    ...more,
  };
}

/** Submits a form as a browser on a page of the same host does. */
export function sendForm(
  test: TestApp,
  path: string,
  fields: Readonly<Record<string, string>>,
  { host = 'meta.localhost', files = {} }: { host?: string; files?: Readonly<Record<string, Buffer>> } = {},
): supertest.Test {
  const sent = test.on(host).post(path).set('Sec-Fetch-Site', 'same-origin');
  for (const [name, value] of Object.entries(fields)) void sent.field(name, value);
  for (const [name, bytes] of Object.entries(files)) void sent.attach(name, bytes, { filename: 'picture.png' });
  return sent;
}

/** The value of a hidden field of a page. */
export function hiddenOf(html: string, name: string): string {
  return new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? '';
}

/** Waits until `count` mails to an address have arrived. @returns the last one */
export async function mailTo(sink: SmtpSink, email: string, count = 1): Promise<TakenMail> {
  for (;;) {
    const mails = sink.mails.filter(({ to }) => to.includes(email));
    if (mails.length >= count) return mails[count - 1]!;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** The path of the link in a mail, below `/tenant/new/`. */
export function linkIn(mail: TakenMail): string {
  const [, path] = /https?:\/\/[^/\s]+(\/tenant\/new\/\S+)/.exec(mail.parsed.text ?? '') ?? [];
  if (path === undefined) throw new Error('There is no link in this mail');
  return path;
}

/** Submits a form and takes its mail. @returns the path of the link in the mail */
export async function linkOf(
  test: TestApp,
  sink: SmtpSink,
  fields: Readonly<Record<string, string>>,
  files: Readonly<Record<string, Buffer>> = {},
): Promise<string> {
  const answer = await sendForm(test, '/tenant/new/', fields, { files }).expect(303);
  expect(answer.headers['location']).toBe('/tenant/new/sent');
  return linkIn(await mailTo(sink, fields['email']!));
}
