import React, { useRef } from 'react';
import DefaultDatetimeEditProperty from './DefaultDatetimeEditProperty.jsx';

/** Times that move with the start, until somebody enters another one. */
const followers = ['doorsAt', 'endsAt'];

/** The start of an event. Doors and end move with it in the form by the same amount, so that what is saved is what is shown. */
export default function StartTime({ property, record, onChange, ...others }) {
  const { params } = record;
  const stored = useRef(params);
  const set = useRef(params);
  const change = (path, value) => {
    onChange(path, value);
    const moved = Date.parse(value) - Date.parse(stored.current[path]);
    if (Number.isNaN(moved)) return;
    const follow = followers.filter((name) => params[name] && Date.parse(params[name]) === Date.parse(set.current[name]));
    const times = follow.map((name) => [name, new Date(Date.parse(stored.current[name]) + moved).toISOString()]);
    set.current = { ...set.current, ...Object.fromEntries(times) };
    for (const [name, time] of times) onChange(name, time);
  };
  return <DefaultDatetimeEditProperty {...others} property={property} record={record} onChange={change} />;
}
