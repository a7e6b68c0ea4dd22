/**
 * How the public ticker streams of exchanges speak, spot markets: from their documentation, tried against recorded frames
 * (test/host/feedSources.test.ts), not against the exchanges.
 */
import type { TickerFormat } from './ticker.ts'

export const EXCHANGE_NAMES = ['binance', 'coinbase', 'kraken', 'bybit', 'okx'] as const
export type ExchangeName = (typeof EXCHANGE_NAMES)[number]

export interface Exchange {
  readonly url: string
  readonly format: TickerFormat
}

const PING_MS = 20_000

export const EXCHANGES: { readonly [Name in ExchangeName]: Exchange } = {
  // Individual symbol mini ticker: once a second, while it changes. The exchange pings by itself.
  binance: {
    url: 'wss://stream.binance.com:9443/ws',
    format: {
      subscribe: '{"method":"SUBSCRIBE","params":[{arguments}],"id":1}',
      argument: '"{lower}@miniTicker"',
      rows: null,
      symbol: 's',
      price: 'c',
      time: 'E',
      ping: null,
      pingMs: PING_MS,
    },
  },
  // Coinbase Exchange, channel `ticker`: every match.
  coinbase: {
    url: 'wss://ws-feed.exchange.coinbase.com',
    format: {
      subscribe: '{"type":"subscribe","channels":["ticker"],"product_ids":[{arguments}]}',
      argument: '"{symbol}"',
      rows: null,
      symbol: 'product_id',
      price: 'price',
      time: 'time',
      ping: null,
      pingMs: PING_MS,
    },
  },
  // WebSocket v2, channel `ticker`: every trade; prices are JSON numbers.
  kraken: {
    url: 'wss://ws.kraken.com/v2',
    format: {
      subscribe: '{"method":"subscribe","params":{"channel":"ticker","symbol":[{arguments}]}}',
      argument: '"{symbol}"',
      rows: 'data',
      symbol: 'symbol',
      price: 'last',
      time: 'timestamp',
      ping: '{"method":"ping"}',
      pingMs: PING_MS,
    },
  },
  // v5 public spot, topic `tickers.SYMBOL`.
  bybit: {
    url: 'wss://stream.bybit.com/v5/public/spot',
    format: {
      subscribe: '{"op":"subscribe","args":[{arguments}]}',
      argument: '"tickers.{symbol}"',
      rows: null,
      symbol: 'data.symbol',
      price: 'data.lastPrice',
      time: 'ts',
      ping: '{"op":"ping"}',
      pingMs: PING_MS,
    },
  },
  // v5 public, channel `tickers`; a connection without traffic is cut after 30 s.
  okx: {
    url: 'wss://ws.okx.com:8443/ws/v5/public',
    format: {
      subscribe: '{"op":"subscribe","args":[{arguments}]}',
      argument: '{"channel":"tickers","instId":"{symbol}"}',
      rows: 'data',
      symbol: 'instId',
      price: 'last',
      time: 'ts',
      ping: 'ping',
      pingMs: PING_MS,
    },
  },
}
