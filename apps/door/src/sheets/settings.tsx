import { useState } from 'preact/hooks';
import type { JSX } from 'preact';
import { preferences, setPreference } from '../device/preferences.js';
import { Button } from '../parts/button.js';
import { FailureNote } from '../parts/failure.js';
import { NetworkNote } from '../parts/notes.js';
import { UpdateNote } from '../parts/update-note.js';
import type { ScreenOptions } from '../app/screen-options.js';
import { chooseLanguage, guideAddress, languages } from '../texts/later-texts.js';
import { language, t } from '../texts/texts.js';

interface CheckOptions {
  readonly name: string;
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (on: boolean) => void;
}

function Check({ name, label, checked, onChange }: CheckOptions): JSX.Element {
  return (
    <label class="check">
      <input type="checkbox" name={name} checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}

/** What can be chosen. Nothing of it is needed to work. */
export function SettingsForm({ model, camera }: ScreenOptions): JSX.Element {
  const { phase, event, practice, persistent, role } = model.state.value;
  const { sound, leftHand, theme } = preferences.value;
  const open = phase === 'open';
  // Guests can open this menu: what would end the kiosk, staff do in the panel.
  const forGuests = open && role === 'kiosk';
  return (
    <>
      <NetworkNote model={model} />
      <UpdateNote model={model} always />
      {open && !forGuests && (
        <Check
          name="practice"
          label={t('settings.practice')}
          checked={practice}
          onChange={(on) => {
            void model.attempt(() => model.engine.practise(on)).then(() => model.failure.value ?? model.closeSheet());
          }}
        />
      )}
      <Check name="sound" label={t('settings.sound')} checked={sound} onChange={(on) => setPreference('sound', on)} />
      {camera.torch.value !== null && (
        <Check name="torch" label={t('actions.torch')} checked={camera.torch.value} onChange={() => void camera.switchTorch()} />
      )}
      <Check name="left-hand" label={t('settings.leftHand')} checked={leftHand} onChange={(on) => setPreference('leftHand', on)} />
      <div class="fields">
        <label for="language">{t('settings.language')}</label>
        <select
          id="language"
          value={language.value.code}
          onChange={({ currentTarget }) => void model.attempt(() => chooseLanguage(currentTarget.value))}
        >
          {languages.map(({ code, name }) => (
            <option key={code} value={code} lang={code} selected={code === language.value.code}>
              {name}
            </option>
          ))}
        </select>
        <label for="theme">{t('settings.theme')}</label>
        <select id="theme" value={theme} onChange={({ currentTarget }) => setPreference('theme', currentTarget.value as typeof theme)}>
          {(['auto', 'light', 'dark'] as const).map((one) => (
            <option key={one} value={one} selected={one === theme}>
              {t(`settings.themes.${one}`)}
            </option>
          ))}
        </select>
        {camera.lenses.value.length > 1 && (
          <>
            <label for="lens">{t('settings.lens')}</label>
            <select id="lens" value={camera.lens.value ?? ''} onChange={({ currentTarget }) => void camera.chooseLens(currentTarget.value)}>
              {camera.lenses.value.map(({ id, label }, place) => (
                <option key={id} value={id} selected={id === camera.lens.value}>
                  {label || t('settings.lensNumber', { number: place + 1 })}
                </option>
              ))}
            </select>
          </>
        )}
      </div>
      <FailureNote model={model} />
      <a class="button plain" data-action="guide" href={guideAddress()} target="_blank" rel="noreferrer">
        {t('settings.guide')}
      </a>
      {open && role === 'supervisor' && event && (
        <a
          class="button plain"
          data-action="box-office"
          href={`/admin/resources/reservations/actions/sell?event=${event.id}`}
          target="_blank"
          rel="noreferrer"
        >
          {t('settings.boxOffice')}
        </a>
      )}
      {open && !forGuests && (
        <Button action="leave-event" disabled={model.working.value} onPress={() => model.attempt(() => model.engine.close())}>
          {t('settings.otherEvent')}
        </Button>
      )}
      {forGuests ? <p>{t('settings.inPanel')}</p> : <Unpair model={model} camera={camera} />}
      <p class="small">
        {persistent !== null && t(persistent ? 'settings.kept' : 'settings.notKept')} {t('settings.version', { version: BUILD_VERSION })}
      </p>
    </>
  );
}

/** Asks once more, because the phone then needs a new code. */
function Unpair({ model }: ScreenOptions): JSX.Element {
  const [sure, ask] = useState(false);
  if (!sure)
    return (
      <Button action="unpair" onPress={() => ask(true)}>
        {t('settings.unpair')}
      </Button>
    );
  return (
    <div class="note">
      <p>{t('settings.unpairSure')}</p>
      <Button action="unpair-sure" look="main" disabled={model.working.value} onPress={() => model.attempt(() => model.engine.unpair())}>
        {t('settings.unpair')}
      </Button>
    </div>
  );
}
