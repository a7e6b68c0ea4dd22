/** The columns of tables that a run may have no row for: what reads a table can then read theirs too. */

const DIFFERING = ['asset', 'openTime']

export const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  trades: [
    ...['number', 'positionId', 'asset', 'side', 'openedAt', 'closedAt', 'size', 'entryPrice', 'exitPrice'],
    ...['realizedPnl', 'rawPnl', 'fees', 'funding', 'pnl', 'end', 'endedBy'],
  ],
  fills: [
    ...['seq', 'at', 'asset', 'positionId', 'orderId', 'action', 'side', 'orderType', 'reason'],
    ...['triggerPrice', 'indexPrice', 'price', 'size', 'quote', 'fee', 'pnl'],
  ],
  monthly: ['month', 'return'],
  rolling: ['day', 'totalReturn', 'annualVolatility', 'sharpeRatio', 'maxDrawdown'],
  drawdowns: ['depth', 'peak', 'trough', 'recovered'],
  markets: ['market', 'returns', 'beta', 'betaError', 'correlation', 'alpha', 'alphaError'],
  rollingBeta: ['market', 'day', 'beta', 'correlation'],
  stress: [
    ...['kind', 'name', 'market', 'from', 'to', 'marketReturn'],
    ...['netProfit', 'totalReturn', 'maxDrawdown', 'trades'],
  ],
  strategies: ['strategy', 'at', 'earned'],
  learned: ['model', 'asset', 'at', 'rows', 'from', 'to', 'knownTo', 'predictions'],
  rejections: ['code', 'count'],
  ambiguousBars: [...DIFFERING, 'positionId', 'stopPrice', 'takePrice', 'outcome'],
  decidingBars: [...DIFFERING, 'difference'],
  divergences: [...DIFFERING, 'side', 'adverse', 'optimistic', 'difference'],
  incidents: ['at', 'kind', 'asset', 'ms', 'what'],
}
