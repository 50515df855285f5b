// Все возможные действия муравья
enum AntActionType{
	// передвижение:
	MOVE_UP = 0,
	MOVE_LEFT = 1,
	MOVE_DOWN = 2,
	MOVE_RIGHT = 3,
	// кусание:
	BITE_UP = 4,
	BITE_LEFT = 5,
	BITE_DOWN = 6,
	BITE_RIGHT = 7,
	// манипуляция с едой:
	GET = 8,
	PUT = 9,
};
// Действие муравья на текущем ходу  
struct AntAction
{
    AntActionType actionType; // передвижение, кусание или манипуляция с едой
    bool putSmell; // оставить ли запах на клетке
    int smell; // оттенок оставляемого муравьём запаха
};

// Показания органа чувств муравья.
// Орган чувств возвращает информацию об одной клетке игрового поля
struct AntSensor{
    int smell; // оттенок запаха
    int smellIntensity; // интенсивность запаха
    bool isFriend; // наличие "своего" муравья
    bool isEnemy; // наличие "чужого" муравья
    bool isMyHill; // наличие "своего" муравейника
    bool isEnemyHill; // наличие "чужого" муравейника
    bool isFood; // наличие еды
    bool isWall; // наличие стены
};

// Класс, описывающий состояние муравья
class Ant
{
public:
    virtual char* getMemory() const = 0; // память муравья
    virtual bool hasFood() const = 0; // есть ли у муравья еда
    virtual ~Ant() {}
};

const int MAX_MEMORY = 32; // Размер памяти вашего муравья
