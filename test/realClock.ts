// Files share a process: whoever puts another clock in the place of the system's takes it away again.

import { afterAll, expect, vi } from 'vitest'

afterAll(() => expect(vi.isFakeTimers(), 'another clock is left to the next file').toBe(false))
