import { keepAnswers } from './keepAnswers.ts'

keepAnswers('host')
