import { keepAnswers } from './keepAnswers.ts'

keepAnswers('store')
