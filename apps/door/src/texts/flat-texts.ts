import type { Texts } from './fill-text.js';

/** Texts in groups, as in `locales/<language>/door.json`. */
export interface TextTree {
  readonly [name: string]: string | TextTree;
}

/** The texts of a catalogue by their paths. */
export function flatTexts(tree: TextTree, group = ''): Texts {
  const entries = Object.entries(tree).map(([name, node]) =>
    typeof node === 'string' ? { [group + name]: node } : flatTexts(node, `${group}${name}.`),
  );
  return Object.assign({}, ...entries) as Texts;
}

/**
 * Divides texts by whether a script names them: `t('group.name')`, or `` t(`group.${name}`) `` for all of a group.
 * @param script as text @returns those that it names, and the others
 */
export function textsByUse(texts: Texts, script: string): readonly [named: Texts, others: Texts] {
  const names = new Set([...script.matchAll(/(["'`])([A-Za-z][\w.]*)\1/g)].map(([, , name]) => name));
  const groups = [...script.matchAll(/`([A-Za-z][\w.]*\.)\$\{/g)].map(([, group]) => group as string);
  const isNamed = ([key]: [string, string]): boolean =>
    names.has(key) || names.has(key.replace(/_[a-z]+$/, '')) || groups.some((group) => key.startsWith(group));
  const entries = Object.entries(texts);
  return [Object.fromEntries(entries.filter(isNamed)), Object.fromEntries(entries.filter((entry) => !isNamed(entry)))];
}
