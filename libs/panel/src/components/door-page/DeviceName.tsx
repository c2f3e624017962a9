import { Link } from 'react-router-dom';
import { recordAddress } from '#panel-kit/components/shared/actions.js';
import type { DoorLinks } from './board.js';

interface Props {
  readonly id: string;
  readonly name: string | null;
  readonly links: DoorLinks;
}

/** The name of a device, with its page for people who may see it. */
export function DeviceName({ id, name, links }: Props) {
  return links.hasDevices ? <Link to={recordAddress('devices', id)}>{name}</Link> : <>{name}</>;
}
