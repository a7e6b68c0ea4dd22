/** What the fields of commands mean, `''` the whole. Written by `npm run api -- --accept` from the docstrings of their types. */
export const MEANINGS = {
  placeOrder: {
    '': 'A placement of which nothing is known but its fields, as it comes from outside. `null` and omitted mean the same, and a field that does not apply to the order type is ignored, but for `triggerPrice`.',
    accountId: "The account that trades; it has to be the caller's.",
    marketId: 'The market it trades on.',
    orderType: 'What the order does and what it waits for.',
    direction: "Of the position: that of a close order equals its position's.",
    amount:
      'Increase: quote to reserve, of the free balance. Close: base size to close; more than the position has is all of it, and it stays what it is when that grows. fp9, above 0.',
    positionId: 'The position a close order closes some of.',
    expectedAmount:
      'The size the trader wants for `amount`: a long fails with less, a short with more. At least 0; 0 = no limit.',
    leverage:
      'Within the bounds of the market and the account, or `invalid_leverage`. Each increase may have its own.',
    triggerPrice: 'The index price that makes it act. Above 0; 0 on a `take` = at once, on a `stop` = never.',
    stopTriggerPrice:
      'Stop-loss of what is opened: below the entry for a long, above for a short. At least 0; 0 = none.',
    takeTriggerPrice:
      'Take-profit of what is opened: above the entry for a long, below for a short. At least 0; 0 = none.',
    trailingStopActivationPrice: 'The index price from which on it trails. At least 0; 0 = from creation.',
    trailingStopOffset:
      'How far it stays behind the best price: it moves first, and is asked then whether it fires. Above 0; 0 = not given. One of this and the percentage.',
    trailingStopOffsetPercent:
      'The same as a fraction of the best price, above 0 and below 1; 0 = not given.',
    stopLimitPrice:
      'Price of the limit order it leaves: at or below the trigger price for a long, at or above for a short. Above 0.',
    sizeMode: 'What sizes it: `quote`, the default, its `amount`; `base` its `baseSize`.',
    baseSize: 'Base size to open with `sizeMode` `base`, and only with it. Above 0.',
    idempotencyKey:
      'Up to 255 characters, empty = none; the same key of the same user within an hour replays the outcome.',
  },
  editOrder: {
    '': '`PATCH /orders/{orderId}`. What can be edited depends on the order, which the command only names: so this is one type for all of them, and the rules refuse what the order does not have. Where nothing is given, or nothing that applies, the order stays as it is and the command is accepted, because a caller may say again what is so already.',
    orderId: 'An order that rests.',
    triggerPrice: 'The new trigger price, above 0; none for a trailing stop.',
    amount: 'Increase: quote reserve, close: base size; fp9, above 0.',
    expectedAmount: 'The new limit of the size. At least 0; 0 = no limit.',
    baseSize: 'The new base size of an order sized by it, above 0; only along with `amount`.',
  },
  changeMargin: {
    '': '`PATCH /positions/{positionId}/margin`.',
    positionId: 'An open position.',
    marginChange: 'Signed: positive adds, negative withdraws, 0 changes nothing.',
  },
  market: {
    '': 'A market as configured: identity required, the rest with defaults; partial for a known id.',
    id: 'Names the market for good.',
    baseAsset:
      'Base asset ticker, unique among markets and the `{asset}` of the read paths. Never `portfolio`.',
    ticker: 'What the market is shown as.',
    category: 'Which accounts may trade it depends on it.',
    spread: 'Fraction per side, inside the execution price; below 1.',
    feeRate: 'Opening and closing fee as a fraction of exposure; below 1.',
    minLeverage: 'Least leverage of an increase.',
    maxLeverage:
      'Highest leverage of an increase, at least `minLeverage`; the account has a bound of its own.',
    maintenanceMarginRate:
      'Maintenance margin as a fraction of the current value; below (1 − spread) / maxLeverage − spread, or a fill would be liquidated at once.',
    minNotional: 'Smallest notional of one increase.',
    maxOrderNotional: "Largest notional one increase may fill, the market's depth; null = unlimited.",
    maxOpenNotionalLong: 'Open notional of longs allowed over all accounts; null = unlimited.',
    maxOpenNotionalShort: 'The same of shorts.',
    minStopDistance: 'Fraction of the index a stop keeps its distance by, below 1; 0 = none.',
    scalpingWindowMs:
      'Milliseconds: a close this soon after the last increase pays the multiplied spread; 0 = never.',
    scalpingCoefficient: 'What the spread is multiplied by then: at least 1, and the product below 1.',
    maxPriceAgeMs: 'Milliseconds: from this age on a price is stale.',
    fundingIntervalMs:
      'Milliseconds, at least 1000: funding instants are the multiples of this interval since the UTC epoch.',
    fundingRate: 'What longs pay per instant, signed.',
    fundingRateShort: 'What shorts pay per instant, signed; null = the mirror, −fundingRate.',
    weekendMaxLeverage:
      'A weekly session close spares positions at or below this effective leverage; null = spares none.',
    status: 'Default: `open`.',
    indexPrice: 'First index price; null = never priced. Only when the market is listed.',
    priceAt: 'When `indexPrice` was current; default now.',
  },
  account: {
    '': 'An account as configured: id, user and balance required, the rest with defaults.',
    id: 'Names the account for good.',
    userId: 'Whose it is.',
    type: 'For practice or for money.',
    balance: 'What it opens with, and every phase starts with.',
    maxLeverage: "Highest leverage the phase allows; the market's own bound applies besides.",
    maxActiveOrders: 'How many orders may rest at once; null = any number.',
    allowedCategories: 'Market categories the account may trade.',
    maxDailyLoss: 'Fraction of the base that may be lost in a UTC day, at most 1; 1 = off.',
    dailyLossBase: 'What the day starts from.',
    dailyLossOf: 'What the fraction is taken of.',
    dailyBreach: 'Whether a daily breach fails the account, or freezes it until the next UTC day.',
    maxTotalLoss: 'Fraction of the initial balance that may be lost in all, at most 1; 1 = off.',
    drawdownMode:
      'Whether the floor of the total loss stands still, or follows the highest end-of-day balance.',
    profitTarget: 'Fraction of the initial balance to earn in a phase.',
    minProfitableDays: 'How many days of a phase have to be profitable before the next.',
    profitableDayShare: 'Fraction of the initial balance a day must realize to count as profitable.',
    autoPromote: 'Whether an account that has earned its next phase enters it by itself.',
    status: 'Default: `active`.',
    phase: 'Default: `active_evaluation`; null = none that trades.',
    apiTrading: 'Whether API keys may be used for it. Default: true.',
    loaded: 'Whether its live data is there. Default: true.',
    locked: 'Whether increases are refused. Default: false.',
  },
  updatePrice: {
    '': 'A tick: the index price of one market. It is the price until the next, and decides in one go what lies on the way to it, in the order in which the price reaches it; of a paused market it decides nothing.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    marketId: 'The market.',
    indexPrice: 'Its index price from here on.',
  },
  advanceTime: {
    '': 'Moves the clock forward, running everything that falls due in time order: at one instant funding, then the day.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    ms: 'Milliseconds, a whole number of at least 0.',
  },
  configureMarket: {
    '': 'Lists a market under a base asset of its own, or changes the parameters of one that is listed.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    market: 'The market: a new one with all it needs, or a known one with what changes.',
  },
  setMarketStatus: {
    '': 'Opens a market, pauses it or sets it to close-only.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    marketId: 'The market.',
    status: 'What it is from here on.',
  },
  setFundingRate: {
    '': 'Sets what longs, and shorts, pay at each funding instant from here on.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    marketId: 'The market.',
    fundingRate: 'What longs pay per funding instant, signed.',
    fundingRateShort: 'What shorts pay, signed; null = the mirror, −fundingRate.',
  },
  openAccount: {
    '': 'Opens an account in the phase that is given.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    account: 'The account.',
  },
  adjustBalance: {
    '': 'Deposits to or withdraws from the free balance of an account; the house is the other side.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'The account.',
    amount: 'Signed quote: positive deposits, negative withdraws, never more than is free.',
  },
  setApiTrading: {
    '': 'Lets an account be used with API keys, or not.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'The account.',
    enabled: 'Whether API keys may be used for it.',
  },
  setAccountLock: {
    '': 'Sets or lifts the managed capital limit of an account.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'The account.',
    locked: 'Whether increases are refused.',
  },
  setAccountLoaded: {
    '': "Loads or unloads an account's live data.",
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'The account.',
    loaded: 'Whether its live data is there; it is unloaded only with nothing open.',
  },
  stopAccount: {
    '': 'Ends the trading of an account: its orders and positions end with it.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'The account.',
    reason: 'Why, and with it what becomes of the account.',
  },
  unfreezeAccount: {
    '': 'Makes a frozen account active again, and checks it at once.',
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    accountId: 'A frozen account.',
  },
  forceClosePosition: {
    '': "Closes a position at its market's price, whoever it belongs to.",
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    positionId: 'An open position.',
  },
  weeklySessionRiskClose: {
    '': "Closes what is too highly leveraged to be held over the end of a market's session.",
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    marketId: 'The market.',
  },
  revokeApiKey: {
    '': "Ends a key, named by its id or by its secret's SHA-256.",
    commandId:
      'Names this giving of the command: a second one under the same name, for 24 hours of engine time, changes nothing and gives the first result, a refusal too. 1 to 255 characters.',
    keyId: 'The key, where it is named by its id.',
    hash: "SHA-256 of the key's secret, where it is named by that: 64 hexadecimal digits, lower case.",
    userId: "Whose key it has to be; null = anybody's.",
  },
} as const
