/** How ids are told apart in bytes: a number below `RECENT_IDS` is one of the ids written last. */
export const RECENT_IDS = 8
export const UUID_TAG = 16
export const TEXT_TAG = 17
/** Of a uuid that is written in full, its tag included. */
export const UUID_BYTES = 17
