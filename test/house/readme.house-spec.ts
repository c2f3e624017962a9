import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { allProblems } from '#kernel';
import '#places';
import '#scan';
import '#semantic-v2';
import '#tenancy';
import { webhookEventTypes } from '#webhooks';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];
const texts = new Map(documents.map((name) => [name, readFileSync(join(root, name), 'utf8')]));
const readme = [...texts.values()].join('\n');

/** GitHub's rule for the anchors of headings. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_\- ]/gu, '')
    .trim()
    .replaceAll(' ', '-');

describe('the documentation', () => {
  it('links to existing files and headings', () => {
    const broken = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)]
        .filter(([, path, anchor]) => {
          const target = path ? join(dirname(name), path) : name;
          if (!existsSync(join(root, target))) return true;
          const headings = [...(texts.get(target) ?? '').matchAll(/^#+ (.*)$/gm)].map((match) => anchorOf(match[1] as string));
          return anchor !== undefined && !headings.includes(anchor);
        })
        .map(([link]) => `${name}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('lists every problem with its status and no other', () => {
    const rows = new Map([...readme.matchAll(/^\| `([a-z_]+\.[a-z_]+)` \| (\d{3}) \|/gm)].map((match) => [match[1], Number(match[2])]));
    expect(rows).toEqual(new Map([...allProblems()].map(([code, { status }]) => [code, status])));
  });

  it('lists every type of webhook event and no other', () => {
    const rows = (texts.get('docs/webhooks.md') ?? '').split('\n').filter((line) => /^\| `[a-z]+\.[a-z_]+`/.test(line));
    const types = rows.flatMap((row) => [...row.split('|')[1]!.matchAll(/`([^`]+)`/g)].map(([, type]) => type));
    expect(types.toSorted()).toEqual(webhookEventTypes.toSorted());
  });

  it('lists every setting and no other', () => {
    const source = ['settings', 'rate-limit-settings', 'quota-settings', 'backup-settings', 'provider-settings']
      .map((name) => readFileSync(join(root, `libs/kernel/src/settings/${name}.ts`), 'utf8'))
      .join('\n');
    const settings = [...source.matchAll(/^ {2}([A-Z_]+): \w+\(/gm)].map((match) => match[1]);
    const rows = [...(texts.get('docs/configuration.md') ?? '').matchAll(/^\| `([A-Z_]{4,})` \|/gm)].map((match) => match[1]);
    expect(settings.length).toBeGreaterThan(15);
    expect(rows.toSorted()).toEqual(settings.toSorted());
  });

  it('names only existing npm scripts', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      scripts: Record<string, string>;
    };
    const named = [...readme.matchAll(/npm (?:run (?:-s )?([\w:]+)|(test|start))\b/g)].map((match) => match[1] ?? match[2]);
    expect(named.filter((name) => !((name as string) in scripts))).toEqual([]);
    expect(named.length).toBeGreaterThan(5);
  });
});
