import { useRef } from 'react';
import DefaultDatetimeEditProperty from './DefaultDatetimeEditProperty.js';
import type { EditProps } from '../../page/props.js';

/** Times that move with the start, until somebody enters another one. */
const followers = ['doorsAt', 'endsAt'];

const momentOf = (value: unknown): number => Date.parse(String(value));

/** The start of an event. Doors and end move with it in the form by the same amount, so that what is saved is what is shown. */
export default function StartTime({ record, onChange, ...others }: EditProps) {
  const params: Readonly<Record<string, unknown>> = record.params;
  const stored = useRef(params);
  const set = useRef(params);
  const change = (path: string, value: unknown): void => {
    onChange(path, value);
    const moved = momentOf(value) - momentOf(stored.current[path]);
    if (Number.isNaN(moved)) return;
    const follow = followers.filter((name) => params[name] && momentOf(params[name]) === momentOf(set.current[name]));
    const times = follow.map((name): [string, string] => [name, new Date(momentOf(stored.current[name]) + moved).toISOString()]);
    set.current = { ...set.current, ...Object.fromEntries(times) };
    for (const [name, time] of times) onChange(name, time);
  };
  return <DefaultDatetimeEditProperty {...others} record={record} onChange={change} />;
}
