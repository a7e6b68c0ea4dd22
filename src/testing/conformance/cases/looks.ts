// Fields that cases of several letters look at.

export const SIZES = ['size', 'notional', 'margin', 'exchangedBase', 'exchangedQuote']
export const RAW = ['pnl', 'pnlInEvent', 'rawPnlInEvent', 'realizedPnl', 'rawRealizedPnl']
