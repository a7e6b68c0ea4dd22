// Where the API is: beside the page, also below the prefix that a venue is mounted at.

export function venueAt(): string {
  return location.origin + location.pathname.replace(/\/console\/?$/, '')
}
