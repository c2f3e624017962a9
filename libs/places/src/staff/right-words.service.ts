import { Event, eventCategories, type EventCategory } from '#catalogue';
import type { Language } from '#kernel';
import { anyOf, isPreset, presetWords, TenantDb, type Grant } from '#tenancy';
import { Injectable } from '@nestjs/common';
import { texts } from '../locales/places.texts.js';

/** Names of events that a text has. */
const mostNames = 3;

const words = texts.perLanguage('rightWords', ({ words: own, t }) => ({
  ...own,
  more: (count: number) => t('rightWords.more', { count }),
}));

/** A right to be named. */
interface NamedRight extends Pick<Grant, 'role' | 'scope'> {
  /** Name of the venue's own role; null: a preset, or a role that was deleted. */
  readonly roleName: string | null;
}

/** Role and scope in words. */
interface RightInWords {
  readonly role: string;
  readonly scope: string;
}

/** Names rights of people at the current tenant: in the list of people, in mails and on pages. */
@Injectable()
export class RightWordsService {
  constructor(private readonly db: TenantDb) {}

  /** Role and scope of each right in words. Reads the names of events once for all. */
  async of(rights: readonly NamedRight[], language: Language): Promise<RightInWords[]> {
    const names = await this.eventNames(rights.flatMap(({ scope }) => (scope.kind === 'events' ? scope.eventIds.slice(0, mostNames) : [])));
    const scopeOf = (scope: Grant['scope']): string => {
      const { all, more } = words[language];
      if (scope.kind === 'all') return all;
      if (scope.kind === 'kinds') return scope.kinds.map((kind) => eventCategories[kind as EventCategory]?.[language] ?? kind).join(', ');
      const shown = scope.eventIds.slice(0, mostNames).flatMap((id) => names.get(id) ?? []);
      const others = scope.eventIds.length - shown.length;
      return [...shown, ...(others > 0 ? [more(others)] : [])].join(', ');
    };
    return rights.map(({ role, roleName, scope }) => ({
      role: roleName ?? (isPreset(role) ? presetWords[language][role].label : role),
      scope: scopeOf(scope),
    }));
  }

  private async eventNames(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    if (ids.length === 0) return new Map();
    const wanted = { select: { id: true, name: true }, where: { id: anyOf([...new Set(ids)]) } } as const;
    const events = await this.db.transaction((tx) => tx.find(Event, wanted));
    return new Map(events.map(({ id, name }) => [id, name]));
  }
}
