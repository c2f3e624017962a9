import { dayWords, timeWords } from '#kernel';
import { currentPanelRequest, PanelFieldError, textOf, type PanelAction, type PanelRow } from '#panel-kit';
import { currentTenant, factorResetHours, type TenantDb } from '#tenancy';
import { refusable } from '../forms/refusals.js';
import { staffNames } from '../users/staff.reader.js';
import { peopleWords } from './people.words.js';
import type { PeopleServices } from './people.services.js';

/** The service decides who may: these only keep buttons away that would be refused. */
const isOther = ({ id, state }: PanelRow): boolean => currentPanelRequest().user?.id !== id && state !== 'invited' && state !== 'expired';
const isDirector = (): boolean => {
  const { user, grant } = currentPanelRequest();
  return user?.isSuperUser !== true && grant?.role === 'direction' && grant.scope.kind === 'all' && grant.endsAt === undefined;
};

/** What two directors do for a person who lost the second factor. */
export function factorResetActions({ resets }: PeopleServices): Record<string, PanelAction> {
  const act = (work: (id: string, by: string) => Promise<boolean>, message: string) => async (id: string) => {
    const by = currentPanelRequest().user?.id;
    if (by === undefined || !(await refusable(() => work(id, by)))) throw new PanelFieldError({}, 'error404Record');
    return { message };
  };
  return {
    askReset: {
      icon: 'Unlock',
      guard: 'askResetSure',
      visible: (row) => isDirector() && isOther(row) && row['hasFactor'] === true && typeof row['resetState'] !== 'string',
      act: act((id, by) => resets.ask(id, by), 'resetAsked'),
    },
    // Not dangerous as others are: phones fold those away.
    confirmReset: {
      icon: 'Unlock',
      guard: 'confirmResetSure',
      visible: (row) => isDirector() && isOther(row) && row['resetState'] === 'asked',
      act: act((id, by) => resets.confirm(id, by), 'resetConfirmed'),
    },
    dropReset: {
      icon: 'X',
      guard: 'dropResetSure',
      visible: (row) => isDirector() && typeof row['resetState'] === 'string',
      act: act((id, by) => resets.drop(id, by), 'resetDropped'),
    },
  };
}

/** A sentence on what was asked for each person, and `own` or `asked`: by whom. Null: nothing. */
export async function resetsIn(db: TenantDb, rows: readonly PanelRow[]): Promise<PanelRow[]> {
  const names = await staffNames(
    db,
    rows.map(({ factorReset }) => factorReset),
  );
  const { language, user } = currentPanelRequest();
  const { timeZone } = currentTenant();
  return rows.map(({ factorReset: askedBy, resetAt }) => {
    if (typeof askedBy !== 'string') return { factorReset: null, resetAt: null, resetState: null };
    const at = new Date(textOf(resetAt));
    const until = new Date(at.getTime() + factorResetHours * 3_600_000);
    const sentence = peopleWords[language].resetAsked({
      name: names.get(askedBy) ?? '…',
      day: dayWords(at, language, timeZone),
      time: timeWords(at, language, timeZone),
      untilDay: dayWords(until, language, timeZone),
      untilTime: timeWords(until, language, timeZone),
    });
    return { factorReset: sentence, resetAt: null, resetState: askedBy === user?.id ? 'own' : 'asked' };
  });
}
