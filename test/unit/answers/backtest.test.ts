import { keepAnswers } from './keepAnswers.ts'

keepAnswers('backtest')
