import { expect, it } from '@jest/globals';
import { catalogueFiles } from './catalogue-files.js';
import { languages } from './language.js';

const textsIn = (language: string): string =>
  [catalogueFiles.options.ns ?? []]
    .flat()
    .map((lib) => JSON.stringify(catalogueFiles.getResourceBundle(language, lib), null, 1))
    .join('\n');

it('keeps French double punctuation marks and quotation marks on one line with their words', () => {
  const french = textsIn('fr');
  expect(french.match(/« | [:;?!»](?!\w)/g)).toBeNull();
  expect(french).toMatch(/\S\u00a0: /);
  expect(french).toMatch(/«\u00a0\S/);
});

it('keeps French times on one line', () => {
  const french = textsIn('fr');
  expect(french.match(/\{hour\} h| h \{minute\}|à \{(?:start|end|time)\}/g)).toBeNull();
  expect(french).toContain('à\u00a0{start}');
});

it('changes nothing in languages without this rule', () => {
  const others = languages.filter((language) => language !== 'fr');
  for (const language of others) expect(textsIn(language)).not.toMatch(/\u00a0[:;?!»]/);
});
