import type { Text } from '#kernel';
import type { Router } from 'express';
import type { PanelAssets } from '../request/panel-assets.js';
import type { PanelEntry } from './panel-entry.js';
import type { PathNeeds, Proofs, ResourceRights } from './resource-rights.js';

/** Looks up a scanned or pasted code: the ticket's id, `forged` when its signature is invalid, or undefined when it is not a code. */
export type CodeLookUp = (text: string) => Promise<{ readonly id: string } | 'forged' | undefined>;

/** Pages beside resources. */
export interface PanelPath {
  /** All of them begin with it. */
  readonly path: `/${string}`;
  readonly needs: PathNeeds;
  readonly pages: Router;
}

/** The contents of one kind of panel. */
export interface PanelContent {
  entries: readonly PanelEntry[];
  /** Reads the data of the start page; called inside the request's tenant. */
  startPage: () => Promise<unknown>;
  /** Heading of the start page; default: the label `dashboard`. */
  startTitle?: Text;
  /** Looks up codes that are typed into the search field; absent: the panel has no codes. */
  lookUpCode?: CodeLookUp;
  /** What people need, by resource; `operator`: only super-users enter this panel. */
  rights: Readonly<Record<string, ResourceRights>> | 'operator';
  /** What asks operators again for a proof, by resource; those of other people are in `rights`. */
  proofs?: Readonly<Record<string, Proofs>>;
  /** Pages without AdminJS. */
  paths?: (assets: PanelAssets) => readonly PanelPath[];
}
