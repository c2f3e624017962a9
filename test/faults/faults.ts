import { databaseFaults } from './database-faults.js';
import { machineFaults } from './machine-faults.js';
import { processFaults } from './process-faults.js';
import type { Processes } from './processes.js';
import type { SmallDisk } from './disks.js';
import type { Stack } from './stack.js';

export interface Scene {
  readonly stack: Stack;
  readonly processes: Processes;
  /** The disk of the first primary and the mail folder, or the reason why it is missing. */
  readonly databaseDisk: SmallDisk | string;
  readonly mailDisk: SmallDisk | string;
}

export interface Fault {
  readonly name: string;
  /** The reason why this fault cannot be run here. */
  skip?(scene: Scene): string | undefined;
  /** Runs before the load. */
  prepare?(scene: Scene): Promise<void>;
  /** Runs under load, including everything that an operator does about the fault. @returns a note for the table */
  strike(scene: Scene): Promise<string | void>;
  /** Runs after the load. */
  restore?(scene: Scene): Promise<void>;
}

/** All faults, in order; `npm run faults -- <key …>` runs some of them. */
export const faults: Readonly<Record<string, Fault>> = { ...processFaults, ...databaseFaults, ...machineFaults };
