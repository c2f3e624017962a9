import { Injectable } from '@nestjs/common';
import { isDeepStrictEqual } from 'node:util';
import { Change, TenantDb } from '#tenancy';
import { currentPanelRequest, type PanelAction, type PanelEntry, type ViewOf } from '#panel-kit';
import { ChangeSentences, tablesOfResources } from './change-sentences.js';
import { changeWords } from './changes.words.js';

/** Maximum of shown changes of one record; all are in the list of changes. */
const mostChanges = 200;

/** Adds the history to the records of a panel. */
@Injectable()
export class HistoryServices {
  constructor(
    private readonly db: TenantDb,
    private readonly sentences: ChangeSentences,
  ) {}

  /** The entry, with the action *History* if its records have one. */
  with(entry: PanelEntry): PanelEntry {
    const object = tablesOfResources[entry.source.id];
    return object ? { ...entry, actions: { ...entry.actions, history: this.action(object) } } : entry;
  }

  private action(object: string): PanelAction {
    return {
      icon: 'FileText',
      component: 'History',
      view: (id) => this.view(object, id),
    };
  }

  /** The changes of one record, the newest first. */
  async view(object: string, record: string) {
    const { lead, nothing, acts } = changeWords[currentPanelRequest().language];
    const changes = await this.db.transaction((tx) =>
      tx.find(Change, { where: { object, record }, order: { position: 'DESC' }, take: mostChanges }),
    );
    const written = await this.sentences.of(changes);
    return {
      lead,
      nothing,
      items: changes.map((change, index) => ({
        at: change.at.toISOString(),
        sentence: undoes(change, changes.slice(index + 1)) ? acts.undone(written[index]!.sentence) : written[index]!.sentence,
      })),
    };
  }
}

/** The view of the component `History`. */
export type HistoryView = ViewOf<HistoryServices['view']>;

/** Whether a change set everything back that the change before it had changed. */
function undoes({ content, object }: Change, earlier: readonly Change[]): boolean {
  const own = content?.find((entry) => entry.object === object);
  const before = earlier[0]?.content?.find((entry) => entry.object === object);
  if (!own || own.action !== 'changed' || before?.action !== 'changed') return false;
  return isDeepStrictEqual(own.after, before.before) && isDeepStrictEqual(own.before, before.after);
}
