import { databaseFaults } from './database-faults.js';
import { machineFaults } from './machine-faults.js';
import { processFaults } from './process-faults.js';
import type { Processes } from './processes.js';
import type { SmallDisk } from './disks.js';
import type { Stack } from './stack.js';

export interface Scene {
  readonly stack: Stack;
  readonly processes: Processes;
  /** Of the first primary, and of mails as files; or why there is none. */
  readonly databaseDisk: SmallDisk | string;
  readonly mailDisk: SmallDisk | string;
}

export interface Fault {
  readonly name: string;
  /** Why it cannot be tried here. */
  skip?(scene: Scene): string | undefined;
  /** Before the load. */
  prepare?(scene: Scene): Promise<void>;
  /** Under load; resolves when everything that an operator would do is done. @returns a note for the table */
  strike(scene: Scene): Promise<string | void>;
  /** Behind the load. */
  restore?(scene: Scene): Promise<void>;
}

/** In the order in which they happen; `npm run faults -- <key …>` tries some. */
export const faults: Readonly<Record<string, Fault>> = { ...processFaults, ...databaseFaults, ...machineFaults };
