#Все возможные действия муравья:
ActionType = {  
	#Передвижение:
	"MOVE_UP":0,
	"MOVE_LEFT":1,
	"MOVE_DOWN":2,
	"MOVE_RIGHT":3,
	#Кусание:
	"BITE_UP":4,
	"BITE_LEFT":5,
	"BITE_DOWN":6,
	"BITE_RIGHT":7,
	#Манипуляции с едой:
	"GET":8,
	"PUT":9
	}

# Класс, описывающий состояние муравья
class Ant():
	def __init__(self, _memory, _hasFood, _teemId):
		self.memory = _memory; # память муравья, список из 32 чисел от 0 до 255
		                       # если записанное число не лежит в этом диапазоне, сохранность данных не гарантируется
		self.hasFood = _hasFood; # несет ли еду

# Показания органа чувств муравья.
# Орган чувств возвращает информацию об одной клетке игрового поля
class Sensor():
	def __init__(self, _smell, _smellIntensity, _isFriend, _isEnemy, _isMyHill, _isEnemyHill, _isFood, _isWall):
		self.smell = _smell # оттенок запаха
		self.smellIntensity = _smellIntensity # интенсивность запаха
		self.isFriend = _isFriend # наличие "своего" муравья
		self.isEnemy = _isEnemy # наличие "чужого" муравья
		self.isMyHill = _isMyHill # наличие "своего" муравейника
		self.isEnemyHill = _isEnemyHill # наличие "чужого" муравейника
		self.isFood = _isFood # наличие еды
		self.isWall = _isWall # наличие стены
		
#Действие муравья на текущем ходу
class AntAction():
	def __init__(self, _actionType, _putSmel, _smell):
		self.actionType = _actionType;# передвижение, кусание или манипуляция с едой
		self.putSmell = _putSmel;# оставить ли запах на клетке
		self.smell = _smell;# оттенок оставляемого муравьем запаха
