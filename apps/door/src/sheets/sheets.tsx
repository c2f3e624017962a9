import type { JSX } from 'preact';
import { SheetFrame } from '../parts/sheet.js';
import { GateList } from '../screens/gates.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { t } from '../texts/texts.js';
import { ConflictList } from './conflicts.js';
import { PairAgain } from './pair-again.js';
import { RecentList } from './recent.js';
import { SearchForm } from './search.js';
import { SettingsForm } from './settings.js';
import { UndoForm } from './undo.js';

/** The sheet that is open, if one is. */
export function Sheets({ model, camera }: ScreenOptions): JSX.Element | null {
  const { value: sheet } = model.sheet;
  if (!sheet) return <PairAgain model={model} />;
  const close = (): void => model.closeSheet();
  const { kind } = sheet;
  const searches = ['search', 'supervisor'].includes(model.state.value.role);
  const titles = {
    settings: t('settings.title'),
    search: t(searches ? 'search.title' : 'search.typeTitle'),
    conflicts: t('conflicts.title'),
    recent: t('recent.title'),
    gates: t('gates.title'),
    undo: t('undo.title'),
  };
  return (
    <SheetFrame key={kind} name={kind} title={titles[kind]} onClose={close}>
      {kind === 'settings' && <SettingsForm model={model} camera={camera} />}
      {kind === 'search' && <SearchForm model={model} />}
      {kind === 'conflicts' && <ConflictList model={model} />}
      {kind === 'recent' && <RecentList model={model} />}
      {kind === 'gates' && <GateList model={model} onChosen={close} />}
      {kind === 'undo' && <UndoForm model={model} result={sheet.result} />}
    </SheetFrame>
  );
}
