import { useEffect, useRef } from 'react';
import type { FormReport as Report } from '../../actions/form-view.js';
import type { Sent } from '../../actions/view-of.js';

/** The result of an action, above its form: counts, and a table of rows with errors. */
export function FormReport({ report, focused }: { readonly report: Sent<Report>; readonly focused?: boolean }) {
  const { title, tone, facts, text: lines, table } = report;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (focused) heading.current?.focus();
  }, [report]);
  return (
    <section className={`gt-report gt-report-${tone}`}>
      <h2 ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {facts.length > 0 ? (
        <ul>
          {facts.map((text) => (
            <li key={text}>{text}</li>
          ))}
        </ul>
      ) : null}
      {lines ? <p className="gt-long gt-shown-value">{lines}</p> : null}
      {table ? (
        <table className="gt-report-table">
          <caption className="gt-unseen">{table.title}</caption>
          <thead>
            <tr>
              {table.head.map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.map((cells) => (
              <tr key={cells.join()}>
                {cells.map((cell, index) => (
                  <td key={index}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {table?.more ? <p>{table.more}</p> : null}
    </section>
  );
}
