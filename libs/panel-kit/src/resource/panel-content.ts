import type { Text } from '#kernel';
import type { Router } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelEntry } from './panel-entry.js';

/** Reads a scanned or pasted code: its id, `forged` when its signature is invalid, or undefined when it is not a code. */
export type ReadCode = (text: string) => Promise<{ readonly id: string } | 'forged' | undefined>;

/** The contents of one kind of panel. */
export interface PanelContent {
  entries: readonly PanelEntry[];
  /** Reads the data of the start page; called inside the request's tenant. */
  tonight: () => Promise<unknown>;
  /** Heading of the start page; default: the label `dashboard`. */
  startTitle?: Text;
  /** Reads codes in the search field; absent: the panel has no codes. */
  readCode?: ReadCode;
  /** Pages without AdminJS. */
  routes?: (assets: PanelAssets) => Router;
}
