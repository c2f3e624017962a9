import type { JSX } from 'preact';
import type { Verdict } from '../core/types.js';
import { iconPaths, type IconName } from './icon-paths.js';

export type { IconName } from './icon-paths.js';

/** A drawing beside a text, which says the same. */
export function Icon({ name, size }: { readonly name: IconName | Verdict; readonly size?: string }): JSX.Element {
  return (
    <svg class={`icon ${size ?? ''}`} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={iconPaths[name]} fill="currentColor" />
    </svg>
  );
}
