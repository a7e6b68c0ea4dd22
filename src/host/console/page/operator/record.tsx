// A command or an event, field by field, as the log has it.

export function Record({ of }: { readonly of: object }) {
  return (
    <dl class="record">
      {Object.entries(of).map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {typeof value === 'object' && value !== null ? (
              <code>{JSON.stringify(value)}</code>
            ) : (
              String(value)
            )}
          </dd>
        </div>
      ))}
    </dl>
  )
}
