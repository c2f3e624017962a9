import type { ComponentChildren, JSX } from 'preact';
import { Icon, type IconName } from './icons.js';

interface ButtonOptions {
  /** Name of the action, for tests: `data-action`. */
  readonly action: string;
  readonly onPress: () => unknown;
  readonly children: ComponentChildren;
  readonly icon?: IconName;
  /** `main`: the one thing to do; `plain`: beside it; `tool`: below the camera. */
  readonly look?: 'main' | 'plain' | 'tool';
  readonly disabled?: boolean;
  readonly pressed?: boolean;
}

/** A button of at least 48 pixels. */
export function Button({ action, onPress, children, icon, look = 'plain', disabled = false, pressed }: ButtonOptions): JSX.Element {
  return (
    <button
      type="button"
      class={`button ${look}`}
      data-action={action}
      disabled={disabled}
      aria-pressed={pressed}
      onClick={(event) => {
        // The card below closes on a tap.
        event.stopPropagation();
        void onPress();
      }}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </button>
  );
}
