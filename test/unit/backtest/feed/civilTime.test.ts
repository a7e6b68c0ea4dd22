import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { civilTimeAt, dayOf } from '../../../../src/backtest/feed/civilTime.ts'
import { TimeZone } from '../../../../src/backtest/feed/timeZone.ts'

const read = (text: string, zone = 'UTC') => {
  const bytes = Buffer.from(text)
  return civilTimeAt(bytes, 0, bytes.length, new TimeZone(zone))
}
const instant = fc.date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })

describe('text timestamps', () => {
  test('every form of an instant is the same instant', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const iso = date.toISOString()
        const seconds = Math.floor(date.getTime() / 1000) * 1000
        const compact = iso.slice(0, 10).replaceAll('-', '')
        const time = iso.slice(11, 19)
        expect(read(iso)).toBe(date.getTime())
        expect(read(`${iso.slice(0, 10)} ${time}`)).toBe(seconds)
        expect(read(`${iso.slice(0, 10)} ${time}.000000`)).toBe(seconds)
        expect(read(`${iso.slice(0, 10).replaceAll('-', '/')} ${time}+00:00`)).toBe(seconds)
        expect(read(`${compact} ${time}`)).toBe(seconds)
        expect(read(`${compact} ${time.replaceAll(':', '')}`)).toBe(seconds)
        expect(read(`${compact} ${time.slice(0, 5)}`)).toBe(Math.floor(seconds / 60_000) * 60_000)
        expect(read(compact)).toBe(Date.parse(iso.slice(0, 10)))
      }),
    )
  })

  test('what lies around the text in the bytes does not count', () => {
    const ends = ['', '0', '2', '.', '.Z', ':', ':5', '-', '/', 'Z', 'T', '+', 'UTC', 'C', ' ']
    const pieces = fc.record({
      date: fc.constantFrom('2024-03-01', '2024/03/01', '20240301', '2024-03-0', '2024030', '2024-03-32'),
      time: fc.constantFrom(
        '',
        ' ',
        'T10',
        ' 10:2',
        ' 10:20',
        'T1020',
        ' 10:20:',
        ' 10:20:30',
        ' 102030',
        ' 10:20:30.',
      ),
      rest: fc.constantFrom(
        '',
        '5',
        '567891',
        'Z',
        ' UTC',
        ' UT',
        '+05',
        '+05:30',
        '-0530',
        '-05:3',
        '+',
        '+15',
        '+05:60',
      ),
      around: fc.tuple(fc.constantFrom(...ends), fc.constantFrom(...ends)),
    })
    const zone = new TimeZone('UTC')
    let [read, refused] = [0, 0]
    fc.assert(
      fc.property(pieces, ({ date, time, rest, around: [before, after] }) => {
        const text = date + time + rest
        const alone = civilTimeAt(Buffer.from(text), 0, text.length, zone)
        const bytes = Buffer.from(before + text + after)
        expect(civilTimeAt(bytes, before.length, before.length + text.length, zone)).toBe(alone)
        if (Number.isNaN(alone)) refused += 1
        else read += 1
      }),
      { numRuns: 2_000 },
    )
    expect(Math.min(read, refused)).toBeGreaterThan(100)
  })

  test('an offset counts, whatever the zone', () => {
    expect(read('2024-03-01T12:00:00+05:30', 'America/New_York')).toBe(Date.UTC(2024, 2, 1, 6, 30))
    expect(read('2024-03-01 12:00:00-0500')).toBe(Date.UTC(2024, 2, 1, 17))
    expect(read('2024-03-01 12:00:00 UTC')).toBe(Date.UTC(2024, 2, 1, 12))
  })

  test.each([
    '',
    '2024',
    '2024-13-01',
    '2023-02-29',
    '2024-04-31 00:00',
    '2024-01-01 24:00',
    '2024-01-01 10:60',
    '2024-01-01 10:00:60',
    '2024-01-01 10',
    '2024-01-01 10:00:0',
    '2024-01-01x10:00',
    '2024-01/01',
    '2024-01-01 10:00:00 CET',
    '2024-01-01 10:00:00+25:00',
    '01/02/2024',
    'yesterday',
  ])('refuses "%s"', (text) => expect(read(text)).toBeNaN())

  test('days agree with the calendar of the language', () => {
    fc.assert(
      fc.property(instant, (date) => {
        const day = dayOf(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate())
        expect(day).toBe(Math.floor(date.getTime() / 86_400_000))
      }),
    )
  })
})

describe('time zones', () => {
  // Before and behind UTC, by whole hours and not, and with clocks that move by an hour and by half of one.
  test.each([
    ['America/New_York', 60],
    ['Europe/Berlin', 60],
    ['Australia/Sydney', 60],
    ['Australia/Lord_Howe', 30],
    ['Asia/Kathmandu', 0],
  ])('a wall clock in %s read back is the instant, or the earlier of the two it shows', (name, moves) => {
    const wallClock = new Intl.DateTimeFormat('sv-SE', {
      timeZone: name,
      dateStyle: 'short',
      timeStyle: 'medium',
    })
    const localAt = (utc: number) => Date.parse(`${wallClock.format(utc).replace(' ', 'T')}Z`)
    const check = (utc: number, zone: TimeZone) => {
      const local = localAt(utc)
      const earlier = utc - moves * 60_000
      expect(zone.toUtc(local)).toBe(localAt(earlier) === local ? earlier : utc)
    }
    fc.assert(
      fc.property(instant, (date) => check(Math.floor(date.getTime() / 1000) * 1000, new TimeZone(name))),
    )
    // Around the hours at which clocks move in one zone or another: what is asked first, after what came before, and after what comes later.
    const [known, back] = [new TimeZone(name), new TimeZone(name)]
    for (const day of ['2024-03-10', '2024-03-31', '2024-04-06', '2024-10-05', '2024-10-27', '2024-11-03'])
      for (let minute = -12 * 60; minute < 36 * 60; minute += 30) {
        const utc = Date.parse(day) + minute * 60_000
        check(utc, new TimeZone(name))
        check(utc, known)
        check(Date.parse('2024-12-31') - (utc - Date.parse('2024-01-01')), back)
        check(Date.parse(day) + 24 * 3_600_000 - minute * 60_000, back)
      }
  })

  test('New York over the changes of its clocks in 2013', () => {
    const zone = new TimeZone('America/New_York')
    expect(zone.toUtc(Date.UTC(2013, 2, 10, 1, 59))).toBe(Date.UTC(2013, 2, 10, 6, 59))
    expect(zone.toUtc(Date.UTC(2013, 2, 10, 3, 0))).toBe(Date.UTC(2013, 2, 10, 7, 0))
    expect(zone.toUtc(Date.UTC(2013, 10, 3, 0, 59))).toBe(Date.UTC(2013, 10, 3, 4, 59))
    expect(zone.toUtc(Date.UTC(2013, 10, 3, 1, 30))).toBe(Date.UTC(2013, 10, 3, 5, 30))
    expect(zone.toUtc(Date.UTC(2013, 10, 3, 2, 0))).toBe(Date.UTC(2013, 10, 3, 7, 0))
    expect(zone.toUtc(Date.UTC(2013, 9, 7, 9, 30))).toBe(Date.UTC(2013, 9, 7, 13, 30))
  })

  test('the last moments before 1970 are asked like any other', () => {
    const hours = 3_600_000
    for (const local of [-1, 0, 1])
      expect(new TimeZone('America/New_York').toUtc(local)).toBe(local + 5 * hours)
  })

  test('fixed offsets', () => {
    expect(new TimeZone('-05:00').toUtc(0)).toBe(18_000_000)
    expect(new TimeZone('UTC+5:30').toUtc(0)).toBe(-19_800_000)
    expect(() => new TimeZone('Mars/Olympus')).toThrow(RangeError)
  })
})

test('the days of eight years, each by its date, and none that no month has', () => {
  for (const leap of [1896, 1996, 2096]) {
    let day = Date.UTC(leap, 0, 1) / 86_400_000
    for (let year = leap; year < leap + 8; year++)
      for (let month = 1; month <= 12; month++) {
        const last = new Date(Date.UTC(year, month, 0)).getUTCDate()
        for (let of = 1; of <= last; of++) expect(dayOf(year, month, of)).toBe(day++)
        for (const none of [0, last + 1, 31.5]) expect(dayOf(year, month, none)).toBeNaN()
      }
    expect(dayOf(leap, 0, 1)).toBeNaN()
    expect(dayOf(leap, 13, 1)).toBeNaN()
  }
})
