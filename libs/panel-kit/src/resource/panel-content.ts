import type { Text } from '#kernel';
import type { Router } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelEntry } from './panel-entry.js';

/** Reads a scanned or pasted code: the id in it, `forged`, or undefined when it is none. */
export type ReadCode = (text: string) => Promise<{ readonly id: string } | 'forged' | undefined>;

/** What one kind of panel shows. */
export interface PanelContent {
  entries: readonly PanelEntry[];
  /** The figures of the start page, asked inside the request's tenant. */
  tonight: () => Promise<unknown>;
  /** Heading of the start page; default: the label `dashboard`. */
  startTitle?: Text;
  /** Reads codes that are searched for; absent: there are none. */
  readCode?: ReadCode;
  /** Plain pages beside those of AdminJS. */
  routes?: (assets: PanelAssets) => Router;
}
