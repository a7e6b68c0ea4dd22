import { keepAnswers } from './keepAnswers.ts'

keepAnswers('client')
