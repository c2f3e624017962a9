import { describe, expect, it } from '@jest/globals';
import { htmlOf } from '#http';
import { fillOwnTexts, unknownPlaceholders } from './own-texts.js';

const values = { first_name: 'Zoë', event: 'Tom & <Jerry>', reference: 'K7 & 9', empty: '' };
const intro = (words: string) => {
  const { html, text } = fillOwnTexts({ intro: words }, values).intro!;
  return { html: htmlOf(html), text };
};
const inside = (html: string): string => />(.*)<\/p>$/s.exec(html)![1]!;

describe('a text of the venue', () => {
  it('is escaped, keeps its line breaks, and has values in place of its placeholders', () => {
    const { html, text } = intro('Hi {first_name},\n<b>{event}</b>\n\nBye {unknown}');
    expect(inside(html)).toBe('Hi Zoë,<br/>&lt;b>Tom &amp; &lt;Jerry>&lt;/b><br/><br/>Bye {unknown}');
    expect(text).toBe('Hi Zoë,\n<b>Tom & <Jerry></b>\n\nBye {unknown}');
  });

  it('has links for addresses of web pages, without the punctuation that follows them', () => {
    const { html, text } = intro('See (https://a.example/x?y=1&z=2). And http://b.example/{reference}, too');
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual([
      'https://a.example/x?y=1&amp;z=2',
      'http://b.example/K7%20%26%209',
    ]);
    expect(inside(html)).toContain('</a>). And ');
    expect(text).toBe('See (https://a.example/x?y=1&z=2). And http://b.example/K7%20%26%209, too');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'https://', '//a.example'])('makes no link of %s', (address) => {
    expect(intro(`Look: ${address} now`).html).not.toContain('href');
  });

  it('makes no link of a value, which guests type', () => {
    const { html } = fillOwnTexts({ closing: 'Dear {first_name}' }, { first_name: 'https://evil.example' }).closing!;
    expect(htmlOf(html)).not.toContain('href');
  });

  it('loses the space before an empty value', () => {
    expect(intro('Hello {empty}, welcome').text).toBe('Hello, welcome');
    expect(fillOwnTexts({ subject: '{empty} {first_name}: {event}' }, values).subject).toBe('Zoë: Tom & <Jerry>');
  });

  it('names unknown placeholders once, and takes a single brace as text', () => {
    expect(unknownPlaceholders('{a} {event} {a} {b c} { {event', ['event'])).toEqual(['a', 'b c']);
    expect(unknownPlaceholders('{event} :-{\n}', ['event'])).toEqual([]);
  });

  it('is missing when it is empty', () => {
    expect(fillOwnTexts({ subject: '', intro: '', closing: '', signature: '' }, values)).toEqual({});
    expect(fillOwnTexts(undefined, values)).toEqual({});
  });
});
